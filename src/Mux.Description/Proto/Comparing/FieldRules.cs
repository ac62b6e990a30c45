namespace Mux.Description.Proto.Comparing;

/// <summary>Rules for two fields with one number.</summary>
internal sealed class FieldRules(ContractComparison comparison, ProtoMessage recordedType, ProtoField recorded, ProtoMessage currentType, ProtoField current)
{
    private const string Other = "keep the type, or add a field with another number";
    private const string KeepName = "keep the name of the member";

    /// <summary>True if a field with another name may be the same one.</summary>
    public static bool HaveOneType(ProtoField one, ProtoField other, bool areExact) =>
        one.IsRepeated == other.IsRepeated && one.IsMap == other.IsMap && ValueKinds.HaveOneWireType(one.Kind, other.Kind)
        && ValueKinds.IsSameOrWider(one, other, areExact) && (one.Message is null || one.IsMap || one.TypeName == other.TypeName);

    public void Compare()
    {
        int before = comparison.Findings.Count;
        if (recorded.IsRepeated != current.IsRepeated || recorded.IsMap != current.IsMap) ReportType(ContractRule.Cardinality);
        else if (!ValueKinds.HaveOneWireType(recorded.Kind, current.Kind)) ReportType(ContractRule.WireType);
        else if (!ValueKinds.IsSameOrWider(recorded, current, comparison.AreFieldsExact) || IsOtherForm()) ReportType(ContractRule.Values);
        else CompareContent();
        ComparePresence();
        if (comparison.Level == ContractLevel.Json) CompareJson();
        if (comparison.Findings.Count == before && !IsSame()) comparison.Note(Compared(), currentType, current);
    }

    private bool HaveOneInitialText => recorded.Absent == current.Absent && recorded.Default == current.Default;

    // Dates, spans, Guid and decimal have messages of their own at each level.
    private bool IsOtherForm() => recorded.TypeName != current.TypeName && (IsShared(recorded) || IsShared(current));

    private static bool IsShared(ProtoField field) => field.Message is not null
        && (field.TypeName!.StartsWith("bcl.", StringComparison.Ordinal) || field.TypeName.StartsWith("google.protobuf.", StringComparison.Ordinal));

    private void CompareContent()
    {
        if (recorded is { Message: { } message } && current.Message is { } otherMessage && !IsShared(recorded)) comparison.Compare(message, otherMessage);
        if (recorded is { Enum: { } known } && current.Enum is { } otherEnum) comparison.Compare(known, otherEnum);
    }

    private void ComparePresence()
    {
        const string Remedy = "keep it, because an absent value has another meaning for others";
        const string Initial = "keep the initial value, because messages of others are without it";
        var (was, now) = (new AbsentValue(recorded, comparison.AreFieldsExact), new AbsentValue(current, comparison.AreFieldsExact));
        if (recorded.IsRepeated || current.IsRepeated) return;
        if (recorded.IsRequired != current.IsRequired)
            Report(ContractRule.Presence, TextOf(recorded), TextOf(current), "keep it, because other programs refuse messages without a required field", true);
        else if (!was.IsSame(now))
            Report(ContractRule.Presence, was.ToString(), now.ToString(), (recorded.Default ?? current.Default) is null ? Initial : Remedy);
        else if (recorded.Message is null && current.Message is null && recorded.HasPresence != current.HasPresence)
            Report(ContractRule.Presence, TextOf(recorded), TextOf(current), Remedy);

        static string TextOf(ProtoField field) => field.IsRequired ? "required" : field.HasPresence ? "optional" : "always present";
    }

    private void CompareJson()
    {
        if (recorded.JsonName != current.JsonName)
            Report(ContractRule.JsonName, $"\"{recorded.JsonName}\" in JSON", $"\"{current.JsonName}\"", KeepName);
        else if (recorded.Name != current.Name && recorded.Name != current.JsonName)
            Report(ContractRule.JsonName, $"also \"{recorded.Name}\" in JSON", $"also \"{current.Name}\"", KeepName);
        else if (!ValueKinds.HaveOneJsonForm(recorded.Kind, current.Kind))
            Report(ContractRule.JsonName, $"{ValueKinds.Describe(recorded)} in JSON", ValueKinds.Describe(current), Other);
    }

    // What no rule is about, but other programs read in the file. The bits of entries are noted with their map.
    private bool IsSame() =>
        recorded.Name == current.Name && recorded.JsonName == current.JsonName && recorded.Kind == current.Kind && recorded.TypeName == current.TypeName
        && recorded.IsPacked == current.IsPacked && recorded.IsDeprecated == current.IsDeprecated && recorded.Oneof?.Name == current.Oneof?.Name
        && (recordedType.IsMapEntry || (recorded.Bits == current.Bits && recorded.KeyBits == current.KeyBits)) && HaveOneInitialText;

    private Differences Compared()
    {
        var texts = new Differences().Name(recorded.Name, current.Name)
            .Became(ValueKinds.Describe(recorded), ValueKinds.Describe(current))
            .Deprecated(recorded.IsDeprecated, current.IsDeprecated)
            .Other("packing", recorded.IsPacked == current.IsPacked)
            .Other("oneof", recorded.Oneof?.Name == current.Oneof?.Name)
            .Other("initial value", HaveOneInitialText);
        return texts.Any ? texts : texts.Other("name in JSON", false);
    }

    private void ReportType(ContractRule rule) => Report(rule, ValueKinds.Describe(recorded), ValueKinds.Describe(current), Other);

    private void Report(ContractRule rule, string was, string now, string remedy, bool isRaised = false) => comparison.Report(
        new ContractFinding(rule, ContractComparison.NameOf(recordedType, recorded), was, now, remedy)
        {
            RecordedType = recordedType,
            RecordedPosition = recorded.Position,
            CurrentType = currentType,
            CurrentMember = current,
            IsRaised = isRaised,
        });
}
