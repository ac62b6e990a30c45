namespace Mux.Transports.Epoll;

/// <summary>What a loop is asked to do with one of its sources.</summary>
internal enum LoopCommand
{
    /// <summary>Begin to watch it.</summary>
    Open,

    /// <summary>Stop watching it for good.</summary>
    Close,

    /// <summary>Go on watching it after a pause.</summary>
    Resume,
}
