namespace Evidence.Blocking;

/// <summary>Handlers that sleep, and others beside them.</summary>
[MuxService("evidence.Sleeper")]
public interface ISleeper
{
    /// <summary>Blocks its thread until the process ends.</summary>
    ValueTask<int> Sleep(int number);

    /// <summary>How many sleep.</summary>
    ValueTask<int> Sleeping();

    ValueTask<int> Echo(int number);

    /// <summary>A reply of many frames.</summary>
    ValueTask<byte[]> Bytes(int count);

    /// <summary>Takes a request of many frames.</summary>
    ValueTask<int> LengthOf(byte[] bytes, MuxCallOptions? options = null);

    /// <summary>Awaits <see cref="Bytes"/> of the other server.</summary>
    ValueTask<int> BytesOfOther(int count);
}
