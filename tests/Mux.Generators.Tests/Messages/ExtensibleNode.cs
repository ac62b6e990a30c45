using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Keeps what it does not know the way protobuf-net has it.</summary>
[ProtoContract]
public sealed class ExtensibleNode : IExtensible
{
    private IExtension? _extension;

    [ProtoMember(1)]
    public int Id { get; set; }

    [ProtoMember(2)]
    public ExtensibleNode? Next { get; set; }

    public int Kept => _extension?.GetLength() ?? 0;

    IExtension IExtensible.GetExtensionObject(bool createIfMissing) => Extensible.GetExtensionObject(ref _extension!, createIfMissing);
}
