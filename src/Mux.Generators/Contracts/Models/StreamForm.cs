namespace Mux.Generators.Contracts.Models;

/// <summary>C# types with which a contract declares streams.</summary>
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
