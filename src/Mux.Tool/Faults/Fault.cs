namespace Mux.Tool.Faults;

/// <summary>What a server does wrong once, on purpose, so that it can be seen that <c>mux bench</c> notices.</summary>
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
