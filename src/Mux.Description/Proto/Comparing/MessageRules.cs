namespace Mux.Description.Proto.Comparing;

/// <summary>Rules for which fields a message has.</summary>
internal sealed class MessageRules(ContractComparison comparison, ProtoMessage recorded, ProtoMessage current, bool isArguments)
{
    private readonly FieldNumbers _numbers = new(current);
    private readonly FieldNumbers _known = new(recorded);
    private readonly ReservedNumbers _recordedReserved = new(recorded.Reserved);
    private readonly ReservedNumbers _currentReserved = new(current.Reserved);
    private JsonNameSet? _recordedNames, _currentNames;
    private bool _areArgumentsMoved;

    public void Compare()
    {
        if (recorded.FullName != current.FullName || recorded.IsDeprecated != current.IsDeprecated || recorded.IsMapEntry != current.IsMapEntry)
            comparison.Note(Compared(), current);
        for (int i = 0; i < recorded.Fields.Count; i++)
        {
            var field = recorded.Fields[i];
            if (_numbers.Find(field.Number, i) is { } other) CompareSame(field, other);
            else CompareGone(field);
        }

        for (int i = 0; i < current.Fields.Count; i++)
        {
            if (_known.Find(current.Fields[i].Number, i) is null) CheckNew(current.Fields[i]);
        }

        if (comparison.IsBetweenFiles) ReservedRules.Compare(comparison, recorded, current);
        new OneofRules(comparison, recorded, current, _known, _numbers).Compare();
    }

    /// <summary>True for the part of a derived class.</summary>
    private static bool IsInclude(ProtoField field) => field is { Kind: FieldKind.Message or FieldKind.Group, Oneof: { } oneof } && IsSubtype(oneof.Name);

    // The name is lengthened where a field has it.
    private static bool IsSubtype(string oneof) => oneof == "subtype" || oneof.StartsWith("subtype_0", StringComparison.Ordinal);

    private void CompareSame(ProtoField was, ProtoField now)
    {
        if (IsInclude(was) && was.TypeName != now.TypeName && MovedInclude(was, now) is var (part, to))
        {
            ReportInclude(part, to);
            return;
        }

        if (was.Name != now.Name)
        {
            // Old values of this field would be read as those of the other one, whether or not its number is reserved.
            var from = _known.Named(now.Name);
            bool isMoved = from is not null || _numbers.Named(was.Name) is not null;
            if (isMoved && isArguments)
            {
                ReportMoved(was, now, $"'{now.Name}'");
                return;
            }

            if (isMoved || !FieldRules.HaveOneType(was, now, comparison.AreFieldsExact))
            {
                Report(
                    ContractRule.FieldReplaced, was, now, $"field {was.Number} of type {ValueKinds.Describe(was)}",
                    $"'{now.Name}' of type {ValueKinds.Describe(now)}",
                    from is null ? "give the new field another number" : $"keep '{now.Name}' as field {from.Number}");
                return;
            }
        }

        new FieldRules(comparison, recorded, was, current, now).Compare();
    }

    // The part of a class that has another number now: this one, or the one that is in its place.
    private (ProtoField Was, ProtoField Now)? MovedInclude(ProtoField was, ProtoField now)
    {
        if (_numbers.OfType(was.TypeName!) is { } moved) return (was, moved);
        return IsInclude(now) && _known.OfType(now.TypeName!) is { } other && IsInclude(other) ? (other, now) : null;
    }

    private void CompareGone(ProtoField field)
    {
        if (_currentReserved.Contains(field.Number))
        {
            if (field.IsRequired) ReportRequired(field, null, "required", "absent", "keep it, because other programs refuse messages without it");
            else if (comparison.Level != ContractLevel.Json || !ReportName(field))
                comparison.Note($"field '{field.Name}' became reserved {field.Number}", current);
            return;
        }

        var moved = IsInclude(field) ? _numbers.OfType(field.TypeName!) : _numbers.Named(field.Name);
        if (IsInclude(field) && moved is not null)
        {
            ReportInclude(field, moved);
            return;
        }

        if (isArguments && moved is not null)
        {
            ReportMoved(field, moved, $"argument {moved.Number}");
            return;
        }

        Report(
            ContractRule.FieldGone, field, moved, $"field {field.Number} of type {ValueKinds.Describe(field)}",
            moved is null ? "gone" : $"field {moved.Number}",
            isArguments ? "keep the argument where it was, or add a method with another name"
                : moved is not null ? $"keep its number {field.Number}"
                : $"keep it, or reserve its number with [ProtoReserved({field.Number})]");
    }

    // JSON has the name alone: older programs still send it, with the type that it had. An update reserves the names of code, so only files may lack one.
    private bool ReportName(ProtoField field)
    {
        if (_numbers.WithJsonNameOf(field).FirstOrDefault(other => !HaveOneForm(field, other)) is { } other)
            Report(ContractRule.JsonName, field, other, $"{ValueKinds.Describe(field)} in JSON", ValueKinds.Describe(other), "give the new field another name");
        else if (comparison.IsBetweenFiles && FreeNameOf(field) is { } name)
            Report(ContractRule.JsonName, field, null, $"the name '{name}' in JSON", "free", ReservedRules.KeepName);
        else
            return false;
        return true;
    }

    private string? FreeNameOf(ProtoField field)
    {
        _currentNames ??= new JsonNameSet(current.ReservedNames.Concat(current.Fields.SelectMany(JsonNameSet.Of)));
        return JsonNameSet.ReservableOf(field).FirstOrDefault(name => _currentNames.Find(name) is null);
    }

    private string? ReservedNameOf(ProtoField field)
    {
        _recordedNames ??= new JsonNameSet(recorded.ReservedNames);
        return JsonNameSet.Of(field).Select(_recordedNames.Find).FirstOrDefault(static name => name is not null);
    }

    private bool HaveOneForm(ProtoField was, ProtoField now) =>
        FieldRules.HaveOneType(was, now, comparison.AreFieldsExact) && ValueKinds.HaveOneJsonForm(was.Kind, now.Kind);

    private Differences Compared() => new Differences().Name(recorded.FullName, current.FullName)
        .Deprecated(recorded.IsDeprecated, current.IsDeprecated).Other("use as entry of a map", recorded.IsMapEntry == current.IsMapEntry);

    // One argument that is inserted moves all that follow.
    private void ReportMoved(ProtoField was, ProtoField now, string becomes)
    {
        if (_areArgumentsMoved) return;
        _areArgumentsMoved = true;
        Report(ContractRule.Body, was, now, $"argument {was.Number} '{was.Name}'", becomes, "add arguments at the end, or add a method with another name");
    }

    private void ReportInclude(ProtoField was, ProtoField now) => Report(
        ContractRule.Include, was, now, $"part {was.Number} of its base class", $"part {now.Number}", $"keep [ProtoInclude({was.Number}, ...)]");

    private void CheckNew(ProtoField field)
    {
        if (_recordedReserved.Contains(field.Number))
        {
            Report(ContractRule.FieldReplaced, field, field, $"reserved as {field.Number}", "used", "give the field another number");
            return;
        }

        if (comparison.Level == ContractLevel.Json && ReservedNameOf(field) is { } reserved)
            Report(ContractRule.JsonName, field, field, $"reserved as the name '{reserved}'", "used", "give the field another name");
        if (field.IsRequired) ReportRequired(field, field, "absent", "required", "make it optional, because messages of others are without it");
        comparison.NoteNew($"{(isArguments ? "argument" : "field")} {field.Number}", current, field);
    }

    // Programs in other languages refuse a message without it, so this breaks them.
    private void ReportRequired(ProtoField field, ProtoField? now, string was, string becomes, string remedy) =>
        Report(ContractRule.Presence, field, now, was, becomes, remedy, true);

    private void Report(
        ContractRule rule, ProtoField field, ProtoField? now, string was, string becomes, string remedy, bool isRaised = false) => comparison.Report(
        new ContractFinding(rule, ContractComparison.NameOf(recorded, field), was, becomes, remedy)
        {
            RecordedType = recorded,
            RecordedPosition = ReferenceEquals(field, now) ? recorded.Position : field.Position,
            CurrentType = current,
            CurrentMember = now,
            IsRaised = isRaised,
        });
}
