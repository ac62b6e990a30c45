namespace Mux.ProtocolCases.Running;

/// <summary>Splits of an input into pieces.</summary>
internal enum SpecSplit
{
    Whole,

    /// <summary>After the first byte, after the first header, and in the middle of the rest.</summary>
    Half,

    /// <summary>Byte by byte; in an input above 2,000 bytes, only near its ends.</summary>
    Bytes,
}
