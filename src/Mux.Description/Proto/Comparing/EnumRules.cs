namespace Mux.Description.Proto.Comparing;

/// <summary>Rules for the values of an enum.</summary>
internal sealed class EnumRules(ContractComparison comparison, ProtoEnum recorded, ProtoEnum current)
{
    public void Compare()
    {
        if (recorded.FullName != current.FullName || recorded.IsDeprecated != current.IsDeprecated)
            comparison.Note(new Differences().Name(recorded.FullName, current.FullName).Deprecated(recorded.IsDeprecated, current.IsDeprecated), current);
        foreach (var value in recorded.Values) CompareRecorded(value);
        if (comparison.Level == ContractLevel.Json) CompareFirstNames();
        if (comparison.IsBetweenFiles) ReservedRules.Compare(comparison, recorded, current);
        foreach (var value in current.Values)
        {
            if (IsReserved(recorded, value.Number))
                Report(ContractRule.EnumValue, value, value, $"reserved as {value.Number}", "used", "give the value another number");
            else if (comparison.Level == ContractLevel.Json && recorded.ReservedNames.Contains(value.Name))
                Report(ContractRule.JsonName, value, value, $"reserved as the name '{value.Name}'", "used", "give the value another name");
            else if (!recorded.Values.Exists(other => other.Number == value.Number)) comparison.NoteAdded(current, value);
            else if (!recorded.Values.Exists(other => other.Number == value.Number && other.Name == value.Name)) NoteName(value);
        }
    }

    private static bool IsReserved(ProtoEnum type, int number) => type.Reserved.Exists(range => range.First <= number && number <= range.Last);

    // Of several names of a number, JSON has the first one.
    private void CompareFirstNames()
    {
        foreach (var value in recorded.Values)
        {
            if (recorded.Values.Find(other => other.Number == value.Number) != value) continue;
            var now = current.Values.Find(other => other.Number == value.Number);
            if (now is null || now.Name == value.Name || !current.Values.Exists(other => other.Number == value.Number && other.Name == value.Name)) continue;
            Report(
                ContractRule.JsonName, value, now, $"the first name of {value.Number}, which JSON has", $"after '{now.Name}'",
                "keep it first, and add other names after it");
        }
    }

    // A name in addition to those that stay is an alias.
    private void NoteName(ProtoEnumValue value)
    {
        var was = recorded.Values.Find(other => other.Number == value.Number && !current.Values.Exists(same => same.Name == other.Name));
        if (was is null) comparison.NoteNew($"alias of {value.Number}", current, value);
        else comparison.Note(new Differences().Name(was.Name, value.Name), current, value);
    }

    private void CompareRecorded(ProtoEnumValue value)
    {
        var same = current.Values.Find(other => other.Name == value.Name);
        bool isThere = current.Values.Exists(other => other.Number == value.Number);
        if (same is not null && same.Number != value.Number)
            Report(ContractRule.EnumValue, value, same, $"{value.Number}", $"{same.Number}", "keep the number");
        else if (!isThere && IsReserved(current, value.Number)) CompareReserved(value);
        else if (!isThere) Report(ContractRule.EnumValue, value, same, $"{value.Number}", "gone", "keep the value, because others send it");
        else if (same is null && comparison.Level == ContractLevel.Json)
            Report(ContractRule.JsonName, value, same, $"the name of {value.Number} in JSON", "gone", "keep the name, or keep it in addition to the new one");
    }

    // An update reserves the names of code, so only files may lack one.
    private void CompareReserved(ProtoEnumValue value)
    {
        if (comparison is { Level: ContractLevel.Json, IsBetweenFiles: true } && !current.ReservedNames.Contains(value.Name))
            Report(ContractRule.JsonName, value, null, $"the name of {value.Number} in JSON", "free", ReservedRules.KeepName);
        else
            comparison.Note($"{value.Name} became reserved {value.Number}", current);
    }

    private void Report(ContractRule rule, ProtoEnumValue value, ProtoEnumValue? now, string was, string becomes, string remedy) => comparison.Report(
        new ContractFinding(rule, ContractComparison.NameOf(recorded, value), was, becomes, remedy)
        {
            RecordedType = recorded,
            RecordedPosition = ReferenceEquals(value, now) ? recorded.Position : value.Position,
            CurrentType = current,
            CurrentMember = now,
        });
}
