using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A struct that is written by a tuple.</summary>
[ProtoContract(Surrogate = typeof((int Litres, int Millilitres)))]
public readonly struct Volume(int millilitres)
{
    public int Millilitres { get; } = millilitres;

    public static implicit operator (int Litres, int Millilitres)(Volume volume) => (volume.Millilitres / 1000, volume.Millilitres % 1000);

    public static implicit operator Volume((int Litres, int Millilitres) wire) => new((wire.Litres * 1000) + wire.Millilitres);
}
