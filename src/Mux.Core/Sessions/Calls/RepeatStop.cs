namespace Mux.Sessions.Calls;

/// <summary>Why a call was not sent again that its policy would have sent again.</summary>
internal enum RepeatStop : byte
{
    None,

    /// <summary>Its deadline comes before the end of the pause.</summary>
    Deadline,

    /// <summary>The channel may send no more calls again.</summary>
    Budget,
}
