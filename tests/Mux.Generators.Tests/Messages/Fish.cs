using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract]
public sealed class Fish : Animal
{
    private Fish(string name)
        : base(name)
    {
    }

    private Fish()
    {
    }

    [ProtoMember(1)]
    public bool Salt { get; private set; }

    public static Fish Create(string name, bool salt) => new(name) { Salt = salt };
}
