using Mux.Description.Proto.Parsing;

namespace Mux.Description.Proto.Comparing;

/// <summary>The contracts in the files of a folder.</summary>
/// <param name="Set">All files that record contracts, and those that they import.</param>
/// <param name="Files">Names of the files that record contracts.</param>
internal sealed record RecordedContracts(ProtoSet Set, IReadOnlyCollection<string> Files)
{
    // Imports all files, so that those which they share are read once. No file of a folder has this name, because theirs end in .proto.
    private const string Root = "#contracts";

    /// <summary>Gets the services of the files that record contracts.</summary>
    public IEnumerable<ProtoService> Services => Set.Files.Where(IsOwn).SelectMany(static file => file.Services);

    /// <summary>Reads the files of a folder.</summary>
    /// <param name="files">The files.</param>
    /// <param name="faults">Takes what is wrong with them.</param>
    /// <returns>Null if a file that counts cannot be read.</returns>
    public static RecordedContracts? Read(IReadOnlyCollection<RecordedFile> files, List<ProtoFault> faults)
    {
        var own = files.Where(static file => file.IsOwn).ToList();
        foreach (var file in own)
        {
            if (file.FindMergeMark() is var line and > 0)
                faults.Add(new ProtoFault(file.Name, new ProtoPosition(line, 1), "it has marks of a merge", ProtoFaultSeverity.Error));
        }

        if (faults.Count > 0) return null;
        var texts = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var file in files) texts[file.Name] = file.Text;
        texts[Root] = $"syntax = \"proto3\";\n{string.Join("\n", own.Select(static file => $"import \"{file.Name}\";"))}";
        var set = ProtoLoader.Load(Root, name => texts.TryGetValue(name, out var text) ? text : null, faults);
        set?.Files.RemoveAll(static file => file.Name == Root);
        return set is null ? null : new RecordedContracts(set, [.. own.Select(static file => file.Name)]);
    }

    /// <summary>Finds the file that declares a type; null if none does.</summary>
    public ProtoFile? FileOf(ProtoElement type) => Set.Files.Find(file =>
        file.Services.Exists(service => service.FullName == type.FullName)
        || Contains(file.Messages, file.Enums, type.FullName));

    private bool IsOwn(ProtoFile file) => Files.Any(name => name == file.Name);

    private static bool Contains(List<ProtoMessage> messages, List<ProtoEnum> enums, string name) =>
        enums.Exists(type => type.FullName == name)
        || messages.Exists(message => message.FullName == name || Contains(message.Messages, message.Enums, name));
}
