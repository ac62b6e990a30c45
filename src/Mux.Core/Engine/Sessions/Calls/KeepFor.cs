namespace Mux.Engine;

/// <summary>The reasons for which the request of a call is kept until its outcome.</summary>
[Flags]
internal enum KeepFor : byte
{
    Nothing = 0,

    /// <summary>The policy of its method, or its route, may send it again.</summary>
    Repeats = 1,

    /// <summary>It waits until a server can be reached, however many attempts to connect fail.</summary>
    Ready = 2,

    /// <summary>It is large, and a server may have no memory for it: then it is sent again after a pause.</summary>
    Pauses = 4,
}
