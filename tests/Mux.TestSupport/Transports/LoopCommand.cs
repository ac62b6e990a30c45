namespace Mux.TestSupport.Transports;

/// <summary>What the loop is asked to do with a link.</summary>
internal enum LoopCommand
{
    Accept,
    Open,
    Input,
    Writable,
    Close,
}
