using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract]
[ProtoInclude(7, typeof(Puppy))]
public class Dog : Animal
{
    [ProtoMember(1)]
    public int Age { get; set; }

    [ProtoMember(2)]
    private string? _collar;

    public string? TellCollar() => _collar;

    public Dog With(string collar)
    {
        _collar = collar;
        return this;
    }
}
