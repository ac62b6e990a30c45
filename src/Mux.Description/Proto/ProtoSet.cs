namespace Mux.Description.Proto;

/// <summary>Files whose names are resolved, each after those that it imports.</summary>
internal sealed class ProtoSet
{
    public List<ProtoFile> Files { get; } = [];

    /// <summary>Gets all messages by full name, nested ones and entries of maps included.</summary>
    public Dictionary<string, ProtoMessage> Messages { get; } = new(StringComparer.Ordinal);

    /// <summary>Gets all enums by full name, nested ones included.</summary>
    public Dictionary<string, ProtoEnum> Enums { get; } = new(StringComparer.Ordinal);

    public IEnumerable<ProtoService> Services => Files.SelectMany(static file => file.Services);
}
