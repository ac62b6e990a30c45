namespace Mux.Generators.Messages.Reading;

/// <summary>The values of ProtoBuf.DataFormat, which is matched by its numbers.</summary>
internal enum DataFormat
{
    Default = 0,
    ZigZag = 1,
    TwosComplement = 2,
    FixedSize = 3,
    Group = 4,
    WellKnown = 5,
}
