using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A struct whose constructor is not called: protobuf-net takes it all zero, too.</summary>
[ProtoContract(SkipConstructor = true)]
public struct Slot
{
    public Slot()
    {
        Number = 3;
    }

    [ProtoMember(1)]
    public int Number { get; set; }

    [ProtoMember(2)]
    private readonly int _hidden = 4;

    public readonly int Hidden => _hidden;
}
