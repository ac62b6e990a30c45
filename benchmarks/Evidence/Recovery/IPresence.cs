namespace Evidence.Recovery;

/// <summary>Says that a server is there.</summary>
[MuxService("evidence.Presence")]
public interface IPresence
{
    ValueTask<int> Echo(int number);
}
