namespace Mux.Description.Proto.Comparing;

/// <summary>Compares the contracts of the code with those that are recorded.</summary>
internal sealed class ContractComparison
{
    private readonly List<ContractFinding> _findings = [];
    private readonly MetPairs _met;
    private readonly Queue<(ProtoMessage Recorded, ProtoMessage Current, bool IsArguments)> _open = new();
    private readonly List<(ProtoMessage Recorded, ProtoMessage Current)> _messages = [];
    private readonly List<(ProtoEnum Recorded, ProtoEnum Current)> _enums = [];
    private readonly List<(ProtoEnum Type, ProtoEnumValue Value)> _addedValues = [];

    private readonly Dictionary<string, ProtoService> _recordedServices = new(StringComparer.Ordinal);
    private readonly Dictionary<string, ProtoService> _currentServices = new(StringComparer.Ordinal);

    private readonly List<ContractNote> _notes = [];
    private ContractNote? _otherShape;
    private bool _isComparing;

    private ContractComparison(ProtoSet recorded, IEnumerable<ProtoService> services, ProtoSet current, ContractLevel level)
    {
        Recorded = recorded;
        RecordedServices = [.. services];
        Current = current;
        Level = level;
        _met = new MetPairs(recorded.Messages.Count + current.Messages.Count);
        foreach (var service in RecordedServices) _recordedServices[service.FullName] = service;
        foreach (var service in current.Services) _currentServices[service.FullName] = service;
    }

    /// <summary>Gets the recorded files, with those of others that they import.</summary>
    public ProtoSet Recorded { get; }

    /// <summary>Gets the services that are recorded.</summary>
    public List<ProtoService> RecordedServices { get; }

    /// <summary>Gets the contracts of the code.</summary>
    public ProtoSet Current { get; }

    public ContractLevel Level { get; }

    /// <summary>Gets a value indicating whether both are files: what one reserves, the other one has to.</summary>
    public bool IsBetweenFiles { get; private set; }

    /// <summary>
    /// Gets or sets a value indicating whether both sides say how many bits integers have, and what absent values are to programs. Files of earlier
    /// versions do not, and a field there may have been narrower from the beginning.
    /// </summary>
    public bool AreFieldsExact { get; set; }

    /// <summary>Gets the findings in the order of the recorded files.</summary>
    public IReadOnlyList<ContractFinding> Findings => _findings;

    /// <summary>Gets messages that take each other's place: their names may differ.</summary>
    public IReadOnlyList<(ProtoMessage Recorded, ProtoMessage Current)> Messages => _messages;

    /// <summary>Gets enums that take each other's place.</summary>
    public IReadOnlyList<(ProtoEnum Recorded, ProtoEnum Current)> Enums => _enums;

    /// <summary>Gets the values that the code added to recorded enums, with numbers that no recorded value has.</summary>
    public IReadOnlyList<(ProtoEnum Type, ProtoEnumValue Value)> AddedValues => _addedValues;

    /// <summary>Gets the parts of the code that are not recorded, or are recorded otherwise.</summary>
    public IReadOnlyList<ContractNote> Notes => _notes;

    /// <param name="recorded">The recorded files.</param>
    /// <param name="services">Services of them that are recorded. Those of others, which the files merely import, are not among them.</param>
    /// <param name="current">The contracts of the code.</param>
    /// <param name="level">What may not break.</param>
    /// <param name="isBetweenFiles">True if the contracts come from files, too.</param>
    public static ContractComparison Of(
        ProtoSet recorded, IEnumerable<ProtoService> services, ProtoSet current, ContractLevel level, bool isBetweenFiles = false)
    {
        var comparison = new ContractComparison(recorded, services, current, level) { IsBetweenFiles = isBetweenFiles };
        ServiceRules.Compare(comparison);
        comparison.AddBehind();
        return comparison;
    }

    public void Report(ContractFinding finding) => _findings.Add(finding);

    /// <summary>Notes a part of the code that no file records.</summary>
    /// <param name="what">What it is, such as a field.</param>
    /// <param name="type">The service, message or enum.</param>
    /// <param name="member">The method, field or value; null if the type is new.</param>
    public void NoteNew(string what, ProtoElement type, ProtoElement? member = null) => _notes.Add(new ContractNote(type, member, $"new {what}", true));

    /// <summary>Notes a part of the code that is recorded otherwise.</summary>
    /// <param name="differences">How it differs; nothing is noted if it does not.</param>
    /// <param name="type">The service, message or enum.</param>
    /// <param name="member">The method, field or value; null for the type.</param>
    public void Note(Differences differences, ProtoElement type, ProtoElement? member = null)
    {
        if (differences.Any) Note(differences.ToString(), type, member);
    }

    /// <inheritdoc cref="Note(Differences, ProtoElement, ProtoElement)"/>
    public void Note(string differences, ProtoElement type, ProtoElement? member = null) => _notes.Add(new ContractNote(type, member, differences, false));

    /// <summary>Notes a value that is new, which a switch in the code may not expect.</summary>
    public void NoteAdded(ProtoEnum type, ProtoEnumValue value)
    {
        NoteNew($"constant {value.Number}", type, value);
        _addedValues.Add((type, value));
    }

    /// <summary>Notes a method whose fingerprints changed, which counts if nothing else explains it.</summary>
    public void NoteShape(ProtoElement type, ProtoElement member) =>
        _otherShape ??= new ContractNote(type, member, "the bytes of its request or reply changed", false);

    /// <summary>
    /// Compares what one message may hold with what another one does that takes its place. Messages that fields refer to
    /// are compared after it, and not within it: a chain of them may be longer than the stack allows.
    /// </summary>
    /// <param name="recorded">The recorded message.</param>
    /// <param name="current">That of the code.</param>
    /// <param name="isArguments">True if its fields are the arguments of a method.</param>
    public void Compare(ProtoMessage recorded, ProtoMessage current, bool isArguments = false)
    {
        if (!_met.Add(recorded.FullName, current.FullName, isArguments)) return;
        if (recorded.FullName != current.FullName && !_met.TryTakeRoom())
        {
            if (_met.TryNoteFull()) ReportTooMany(recorded, current);
            return;
        }

        _messages.Add((recorded, current));
        _open.Enqueue((recorded, current, isArguments));
        if (_isComparing) return;
        _isComparing = true;
        while (_open.Count > 0)
        {
            var (was, now, areArguments) = _open.Dequeue();
            new MessageRules(this, was, now, areArguments).Compare();
        }

        _isComparing = false;
    }

    /// <summary>
    /// Compares two messages with different names. If the second one is not the first with another name, each field would be a finding: nothing is found then.
    /// </summary>
    /// <returns>False if it is another message.</returns>
    public bool TryCompare(ProtoMessage recorded, ProtoMessage current, bool isArguments)
    {
        var met = _met.Mark();
        var (findings, notes, messages, enums, added) = (_findings.Count, _notes.Count, _messages.Count, _enums.Count, _addedValues.Count);
        Compare(recorded, current, isArguments);
        int allowed = Current.Messages.ContainsKey(recorded.FullName) ? 0 : 1;
        if (_findings.Skip(findings).Count(static finding => !finding.IsWarning) <= allowed) return true;
        Cut(_findings, findings);
        Cut(_notes, notes);
        Cut(_messages, messages);
        Cut(_enums, enums);
        Cut(_addedValues, added);
        _met.GoBack(met);
        return false;

        static void Cut<T>(List<T> list, int count) => list.RemoveRange(count, list.Count - count);
    }

    /// <summary>Compares two enums as <see cref="Compare(ProtoMessage, ProtoMessage, bool)"/> compares messages.</summary>
    public void Compare(ProtoEnum recorded, ProtoEnum current)
    {
        if (!_met.Add(recorded.FullName, current.FullName, false)) return;
        _enums.Add((recorded, current));
        new EnumRules(this, recorded, current).Compare();
    }

    /// <summary>Compares the services that a caller serves during a call.</summary>
    public void CompareCallbacks(ProtoMethod recorded, ProtoMethod current)
    {
        if (current.Options.Callbacks.Count == 0) return;
        var services = Find(_currentServices, current);
        if (services.Count == 0 || !_met.Add(recorded.FullName, current.FullName, false)) return;
        ServiceRules.CompareCallbacks(this, Find(_recordedServices, recorded), services);
    }

    /// <summary>Gets the name of a part as people know it.</summary>
    public static string NameOf(ProtoElement type, ProtoElement? member) => member is null ? type.FullName : $"{type.FullName}.{member.Name}";

    private void ReportTooMany(ProtoMessage recorded, ProtoMessage current) => Report(new ContractFinding(
        ContractRule.Body, recorded.FullName, recorded.FullName, current.FullName,
        "keep the names of messages that refer to each other")
    {
        Sentence = $"is not compared with '{current.FullName}', because there are too many pairs of messages with different names",
        RecordedType = recorded,
        RecordedPosition = recorded.Position,
        CurrentType = current,
    });

    private static List<ProtoService> Find(Dictionary<string, ProtoService> services, ProtoMethod method) =>
        [.. method.Options.Callbacks.Where(services.ContainsKey).Select(name => services[name])];

    private void AddBehind()
    {
        if (_findings.Exists(static finding => !finding.IsWarning)) return; // such a change is mended or accepted first
        if (_otherShape is { } shape && _notes.Count == 0 && _findings.Count == 0) _notes.Add(shape);
        if (_notes.Count == 0) return;
        var first = _notes[0];
        var others = _notes.Count == 1 ? string.Empty : $" (the first of {_notes.Count} such parts)";
        Report(new ContractFinding(
            ContractRule.Behind, first.Element, string.Empty, string.Empty, "record it with 'mux contract update' or the fix in the editor")
        {
            Sentence = first.Change + others,
            CurrentType = first.Type,
            CurrentMember = first.Member,
        });
    }
}
