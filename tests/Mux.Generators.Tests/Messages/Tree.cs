using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract(IgnoreUnknownSubTypes = true)]
public class Tree : Plant
{
    [ProtoMember(1)]
    public int Rings { get; set; }
}
