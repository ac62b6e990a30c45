using SideBySide.Load;

namespace SideBySide.Stacks;

/// <summary>The connections of a stack in the process of the client.</summary>
internal interface IStackClient : IAsyncDisposable
{
    /// <summary>Gives the caller the small call.</summary>
    /// <param name="connection">From 0.</param>
    /// <param name="caller">Ends by itself.</param>
    Task SearchAsync(int connection, Caller caller);

    /// <summary>Gives the caller the echo of 1 MiB.</summary>
    /// <inheritdoc cref="SearchAsync"/>
    Task EchoAsync(int connection, Caller caller);

    /// <summary>Gives the caller the stream from the server.</summary>
    /// <inheritdoc cref="SearchAsync"/>
    Task ReadAsync(int connection, Caller caller);
}
