namespace Mux.Tool.Faults;

/// <summary>Faults that a server commits once, on purpose, to check that <c>mux bench</c> detects them.</summary>
internal enum Fault
{
    None,

    /// <summary>Two replies arrive at each other's calls.</summary>
    Swap,

    /// <summary>One reply never leaves.</summary>
    Drop,

    /// <summary>One reply leaves twice.</summary>
    Double,
}
