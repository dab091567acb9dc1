"""The infinitive of the irregular verbs of French clinical prose."""

from __future__ import annotations

_PARADIGMS = """
- ob main con sou re entre de abs appar|tenir|tiens tient tiennent tenons tenez tenu tenue tenus tenues tiendra tiendront tiendrait tiendraient tienne tiennes tenant tenait tenaient tint tinrent
- de par sur inter pro con pre re sub contre circon|venir|viens vient viennent venons venez venu venue venus venues viendra viendront viendrait viendraient vienne venant venait venaient vint vinrent
- ap com re entre dese me sur|prendre|prends prend prennent prenons prenez pris prise prises prendra prendront prendrait prenne prenant prenait prenaient prit
- per ad com sou trans re o e pro compro|mettre|met mettent mettons mettez mis mise mises mettra mettront mettrait mette mettant mettait mettaient
- re satis de|faire|fait faits faite faites font faisons fera feront ferait feraient fasse fassent faisant faisait faisaient fit
- re|voir|vois voit voient voyons voyez vu vus verra verront verrait voyant voyait voyaient
pre|voir|vois voit voient voyez vu vue vus vues voira voyant voyait
re per con de aper|cevoir|cois coit coivent cevons cevez cu cue cus cues cevra cevront cevrait coive cevant cevait cevaient cut
-|devoir|dois doit doivent devons devez devra devront devrait devraient doive devait devaient
-|pouvoir|peux peut peuvent pouvons pouvez pourra pourront pourrait pourraient puisse puissent pouvant pouvait pouvaient
-|vouloir|veut veulent voulez voudra voudrait veuille voulu voulait voulant
-|savoir|sait savent savons savez saura sauront saurait sache sachant savait
-|falloir|faut faudra faudrait fallait fallu faille
pre inter contre re me|dire|dit dits dite dites disent disons dira diront dirait dise disant disait disaient
-|dire|disent disons dira diront dirait dise disant disait
re e|lire|lisent lisez lu lue lus lues lira liront lise lisant lisait
-|lire|lisent lisez lue lira liront lise lisant
pres de ins sous trans circons|crire|crit crits crite crites crivent crivez crira crivant crivait crive
- re|ecrire|ecrit ecrits ecrite ecrites ecrivent ecrivez ecrira ecrivant ecrive
con intro re in de tra|duire|duis duit duits duite duites duisent duira duiront duirait duise duisant duisait
pro repro surpro|duire|duisent duira duiront duirait duise duisant duisait
de con recon ins|truire|truit truits truite truites truisent truira truise truisant truisait
-|nuire|nuisent nuira nuise nuisant nui
-|croire|crois croit croient croyez croira croyant
-|boire|boit boivent buvez bu bue boira boive buvant buvait
pour|suivre|suis suit suivent suivi suivie suivis suivies suivra suivront suive suivant suivait
-|suivre|suit suivent suivi suivie suivis suivies suivra suivront suive
sur|vivre|vit vivent vecu vivra vivront vive vivant
-|vivre|vivent vecu vecue vivra vivront
se par re en|courir|court courent couru courue courus courra courront coure courait
-|mourir|meurt meurent mourra mourront meure mourant mourait
- re rou entr|ouvrir|ouvre ouvrent ouvert ouverte ouverts ouvertes ouvrira ouvrant
- re de|couvrir|couvre couvrent couvert couverte couverts couvertes couvrira couvrant
-|offrir|offre offrent offert offerte offerts offertes offrira offrant
-|souffrir|souffre souffrent souffert souffrant souffrira
res des as -|servir|sert servent servi servie servis servies servira serviront serve servant servait
- en ren|dormir|dort dorment dormi dormira dorme dormant dormait
en ren|dormir|dormie dormis dormies
res con pres|sentir|sens sent sentent senti sentie sentis senties sentira sente sentant sentait
-|sentir|sentent sentira sentant sentait
-|partir|partent partira parte partant
-|sortir|sortent sortira sortant sortait
ac re con|querir|quiert quierent quis quise quises querra quiere querant
-|craindre|crains craint crainte craignent craindra craigne craignant
con|traindre|traint traints trainte traintes traignent traindra traigne traignant
-|plaindre|plaint plaignent plaindra plaigne plaignant
at e|teindre|teint teints teinte teintes teignent teindra teindront teigne teignant teignait
res as|treindre|treint treints treinte treintes treignent treindra treigne treignant
re ad dis|joindre|joint joints jointe jointes joignent joindra joigne joignant
inter cor|rompre|rompt rompent rompu rompue rompus rompues rompra rompe rompant
-|rompre|rompt rompent rompu rompue rompus rompra rompe
con|vaincre|vainc vaincu vaincue vaincus vaincra
com a de|battre|bat battent battu battue battra batte battant
con recon mecon|naitre|nais nait naissent nu nue nus nues naitra naitront naitrait naisse naissant
-|naitre|nait naissent naitra naisse
ap dis com reap|paraitre|parait paraissent paru parue parus parues paraitra paraitront paraisse paraissant paraissait
-|paraitre|parait paraissent paraisse
ac de|croitre|croit croissent cru crue crus crues croitra croisse croissant croissait
ex sous abs dis|traire|trait traits traite traites traient traira traie trayant
re dis abs|soudre|sout solvent solu solue solus solues soudra solve solvant sous soute
equi pre -|valoir|vaut valent valu vaudra vaudrait vale valant valait
pro e|mouvoir|meut meuvent mu mue mouvra meuve mouvant
ex in con|clure|clut cluent clu clus clue clues cluse cluses clura cluant
-|suffire|suffit suffisent suffi suffira suffiront suffise suffisant suffisait
-|fuir|fuit fuient fui fuyant
en ren|voyer|voie voient voye voyee voyes voyees verra verrait voyant
"""
"""Prefixes (« - » for none), infinitive, forms; what is rather a noun (« lit », « part ») is left."""


def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in _PARADIGMS.strip().splitlines():
        prefixes, infinitive, forms = line.split("|")
        for prefix in prefixes.split():
            start = "" if prefix == "-" else prefix
            for form in forms.split():
                table.setdefault(start + form, start + infinitive)
    return table


_INFINITIVES = _table()


def infinitive(word: str) -> str:
    """The infinitive of a folded form of an irregular verb (« obtient », « obtenir »), or itself."""
    return _INFINITIVES.get(word, word)
