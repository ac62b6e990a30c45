using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

[ProtoContract]
[ProtoInclude(1, typeof(Dog))]
[ProtoInclude(2, typeof(Bird))]
public class Animal
{
    [ProtoMember(10)]
    public string? Name { get; set; }

    [ProtoMember(11)]
    public List<Animal>? Young { get; set; }
}
