using Mux.Description.Proto;

namespace Mux.Generators.Importing;

/// <summary>
/// The types to make: all of the project's files, and those of protobuf's own files that they name and for which there is no C# type.
/// </summary>
internal sealed class ImportedTypes
{
    private readonly HashSet<ProtoElement> _reached = [];
    private readonly Queue<ProtoMessage> _unread = new();
    private readonly ProtoSet _set;

    public ImportedTypes(ProtoSet set, ImportFiles files)
    {
        _set = set;
        foreach (var file in set.Files.Where(file => files.Find(file.Name) is not null))
        {
            foreach (var message in file.Messages) Add(message);
            foreach (var type in file.Enums) _reached.Add(type);
            foreach (var method in file.Services.SelectMany(static service => service.Methods)) Add(method);
        }

        while (_unread.Count > 0) Read(_unread.Dequeue());
    }

    /// <summary>True for a type that is not nested, and is to be made.</summary>
    public bool Contains(ProtoElement type) => _reached.Contains(type);

    private void Add(ProtoMethod method)
    {
        var options = method.Options;
        var others = options.Details.Select(static detail => detail.Message).Append(options.Arguments);
        foreach (var name in others.OfType<string>().Append(method.RequestName).Append(method.ResponseName)) Add(name);
    }

    private void Add(string name)
    {
        if (_set.Messages.TryGetValue(Outermost(name, _set.Messages), out var message)) Add(message);
        else if (_set.Enums.TryGetValue(name, out var type)) _reached.Add(type);
    }

    private void Add(ProtoMessage message)
    {
        if (_reached.Add(message)) _unread.Enqueue(message);
    }

    // Entries of maps are nested messages, too.
    private void Read(ProtoMessage message)
    {
        foreach (var field in message.Fields)
        {
            if (field is { TypeName: { } name, IsMap: false } && FrameworkValues.Of(field, message.IsMapEntry) is null) Add(name);
        }

        foreach (var nested in message.Messages) Read(nested);
    }

    private static string Outermost(string name, Dictionary<string, ProtoMessage> messages)
    {
        var outermost = name;
        for (int dot = name.LastIndexOf('.'); dot > 0; dot = name.LastIndexOf('.', dot - 1))
        {
            if (messages.ContainsKey(name.Substring(0, dot))) outermost = name.Substring(0, dot);
        }

        return outermost;
    }
}
