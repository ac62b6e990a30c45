namespace Mux.ProtocolCases.Running;

/// <summary>In which pieces an input is sent.</summary>
internal enum SpecSplit
{
    Whole,

    /// <summary>Behind the first byte, behind the first header, and in the middle of the rest.</summary>
    Half,

    /// <summary>Every byte for itself; of an input above 2,000 bytes those near its ends.</summary>
    Bytes,
}
