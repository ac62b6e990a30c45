namespace Mux.Runtime;

/// <summary>Commands that a loop runs for one of its sources.</summary>
internal enum LoopCommand
{
    /// <summary>Start watching it.</summary>
    Open,

    /// <summary>Stop watching it for good.</summary>
    Close,

    /// <summary>Resume watching it after a pause.</summary>
    Resume,
}
