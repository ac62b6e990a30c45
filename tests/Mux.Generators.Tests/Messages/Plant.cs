using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract(IgnoreUnknownSubTypes = true)]
[ProtoInclude(9, typeof(Tree))]
public abstract class Plant
{
    [ProtoMember(1)]
    public int Height { get; set; }
}
