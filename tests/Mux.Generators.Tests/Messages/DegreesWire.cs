using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract]
public sealed class DegreesWire
{
    [ProtoMember(1)]
    public int Milli { get; set; }

    [ProtoMember(2)]
    public int Thousands { get; set; }

    public static explicit operator DegreesWire(Degrees degrees) => throw new InvalidOperationException("The method wins.");

    public static explicit operator Degrees(DegreesWire wire) => new((wire.Thousands * 1000) + (wire.Milli / 1000.0));

    [ProtoConverter]
    private static DegreesWire? Convert(Degrees degrees)
    {
        return double.IsNaN(degrees.Kelvin) ? null : new() { Thousands = (int)(degrees.Kelvin / 1000), Milli = (int)Math.Round(degrees.Kelvin % 1000 * 1000) };
    }
}
