namespace Mux.Description.Proto.Comparing;

/// <summary>
/// Rules for what two files reserve. Code is not compared so: it need not repeat what its file reserves, because an update keeps that.
/// </summary>
internal static class ReservedRules
{
    public const string KeepName = "reserve the name, because older programs have another meaning for it";

    public static void Compare(ContractComparison comparison, ProtoMessage recorded, ProtoMessage current)
    {
        var kept = current.Reserved.Concat(current.Fields.Select(static field => new ProtoRange(field.Number, field.Number))).ToList();
        Compare(comparison, ContractRule.FieldGone, recorded, current, recorded.Reserved, kept);
        if (comparison.Level != ContractLevel.Json || recorded.ReservedNames.Count == 0) return;
        var names = new JsonNameSet(current.ReservedNames.Concat(current.Fields.SelectMany(JsonNameSet.Of)));
        CompareNames(comparison, recorded, current, recorded.ReservedNames.Distinct(StringComparer.Ordinal).Where(name => names.Find(name) is null));
    }

    public static void Compare(ContractComparison comparison, ProtoEnum recorded, ProtoEnum current)
    {
        var kept = current.Reserved.Concat(current.Values.Select(static value => new ProtoRange(value.Number, value.Number))).ToList();
        Compare(comparison, ContractRule.EnumValue, recorded, current, recorded.Reserved, kept);
        var names = current.ReservedNames.Concat(current.Values.Select(static value => value.Name));
        CompareNames(comparison, recorded, current, recorded.ReservedNames.Except(names, StringComparer.Ordinal));
    }

    private static void Compare(
        ContractComparison comparison, ContractRule rule, ProtoElement recorded, ProtoElement current, List<ProtoRange> reserved, List<ProtoRange> kept)
    {
        var held = new ReservedNumbers(kept);
        foreach (var range in reserved)
        {
            if (held.FirstFree(range) is { } free)
                Report(comparison, rule, recorded, current, $"{free}", "keep it reserved, because older programs have another meaning for it");
        }
    }

    private static void CompareNames(ContractComparison comparison, ProtoElement recorded, ProtoElement current, IEnumerable<string> names)
    {
        if (comparison.Level != ContractLevel.Json) return;
        foreach (var name in names)
        {
            Report(
                comparison, ContractRule.JsonName, recorded, current, $"the name '{name}'",
                "keep it reserved, because older programs have another meaning for it");
        }
    }

    private static void Report(
        ContractComparison comparison, ContractRule rule, ProtoElement recorded, ProtoElement current, string what, string remedy) => comparison.Report(
        new ContractFinding(rule, recorded.FullName, $"reserved {what}", "free", remedy)
        {
            Sentence = $"no longer reserves {what}",
            RecordedType = recorded,
            RecordedPosition = recorded.Position,
            CurrentType = current,
        });
}
