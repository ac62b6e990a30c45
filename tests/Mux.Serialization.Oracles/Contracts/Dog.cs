using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

[ProtoContract]
[ProtoInclude(1, typeof(Puppy))]
public class Dog : Animal
{
    [ProtoMember(2)]
    public int Age { get; set; }
}
