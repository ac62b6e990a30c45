namespace Mux.Generators.Messages.Reading;

/// <summary>Values of ProtoBuf.DataFormat, matched by number.</summary>
internal enum DataFormat
{
    Default = 0,
    ZigZag = 1,
    TwosComplement = 2,
    FixedSize = 3,
    Group = 4,
    WellKnown = 5,
}
