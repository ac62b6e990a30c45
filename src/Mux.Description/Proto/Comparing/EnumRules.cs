namespace Mux.Description.Proto.Comparing;

/// <summary>Rules for the values of an enum.</summary>
internal sealed class EnumRules(ContractComparison comparison, ProtoEnum recorded, ProtoEnum current)
{
    private readonly EnumNames _recorded = new(recorded);
    private readonly EnumNames _current = new(current);
    private readonly ReservedNumbers _recordedReserved = new(recorded.Reserved);
    private readonly ReservedNumbers _currentReserved = new(current.Reserved);
    private Dictionary<int, ProtoEnumValue>? _goneByNumber;

    public void Compare()
    {
        if (recorded.FullName != current.FullName || recorded.IsDeprecated != current.IsDeprecated)
            comparison.Note(new Differences().Name(recorded.FullName, current.FullName).Deprecated(recorded.IsDeprecated, current.IsDeprecated), current);
        foreach (var value in recorded.Values) CompareRecorded(value);
        if (comparison.Level == ContractLevel.Json) CompareFirstNames();
        if (comparison.IsBetweenFiles) ReservedRules.Compare(comparison, recorded, current);
        var reservedNames = new HashSet<string>(recorded.ReservedNames, StringComparer.Ordinal);
        foreach (var value in current.Values)
        {
            if (_recordedReserved.Contains(value.Number))
                Report(ContractRule.EnumValue, value, value, $"reserved as {value.Number}", "used", "give the value another number");
            else if (comparison.Level == ContractLevel.Json && reservedNames.Contains(value.Name))
                Report(ContractRule.JsonName, value, value, $"reserved as the name '{value.Name}'", "used", "give the value another name");
            else if (_recorded.First(value.Number) is null) comparison.NoteAdded(current, value);
            else if (!_recorded.Has(value)) NoteName(value);
        }
    }

    // Of several names of a number, JSON has the first one.
    private void CompareFirstNames()
    {
        foreach (var value in recorded.Values)
        {
            if (_recorded.First(value.Number) != value) continue;
            var now = _current.First(value.Number);
            if (now is null || now.Name == value.Name || !_current.Has(value)) continue;
            Report(
                ContractRule.JsonName, value, now, $"the first name of {value.Number}, which JSON has", $"after '{now.Name}'",
                "keep it first, and add other names after it");
        }
    }

    // A name in addition to those that stay is an alias.
    private void NoteName(ProtoEnumValue value)
    {
        _goneByNumber ??= GoneByNumber();
        if (_goneByNumber.TryGetValue(value.Number, out var was))
            comparison.Note(new Differences().Name(was.Name, value.Name), current, value);
        else
            comparison.NoteNew($"alias of {value.Number}", current, value);
    }

    private Dictionary<int, ProtoEnumValue> GoneByNumber()
    {
        var gone = new Dictionary<int, ProtoEnumValue>();
        foreach (var value in recorded.Values)
        {
            if (_current.Find(value.Name) is null && !gone.ContainsKey(value.Number)) gone.Add(value.Number, value);
        }

        return gone;
    }

    private void CompareRecorded(ProtoEnumValue value)
    {
        var same = _current.Find(value.Name);
        bool isThere = _current.First(value.Number) is not null;
        if (same is not null && same.Number != value.Number)
            Report(ContractRule.EnumValue, value, same, $"{value.Number}", $"{same.Number}", "keep the number");
        else if (!isThere && _currentReserved.Contains(value.Number)) CompareReserved(value);
        else if (!isThere) Report(ContractRule.EnumValue, value, same, $"{value.Number}", "gone", "keep the value, because others send it");
        else if (same is null && comparison.Level == ContractLevel.Json)
            Report(ContractRule.JsonName, value, same, $"the name of {value.Number} in JSON", "gone", "keep the name, or keep it in addition to the new one");
    }

    // An update reserves the names of code, so only files may lack one.
    private void CompareReserved(ProtoEnumValue value)
    {
        if (comparison is { Level: ContractLevel.Json, IsBetweenFiles: true } && !_current.ReservesName(value.Name))
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
