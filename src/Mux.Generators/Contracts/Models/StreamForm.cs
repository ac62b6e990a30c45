namespace Mux.Generators.Contracts.Models;

/// <summary>The C# type by which a contract declares a stream.</summary>
internal enum StreamForm
{
    /// <summary>IAsyncEnumerable of items.</summary>
    Items,

    /// <summary>ChannelReader of items.</summary>
    Channel,

    /// <summary>Stream of bytes.</summary>
    Bytes,

    /// <summary>PipeReader of bytes.</summary>
    Pipe,
}
