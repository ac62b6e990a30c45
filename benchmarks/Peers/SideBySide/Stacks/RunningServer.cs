namespace SideBySide.Stacks;

/// <summary>A server of this process.</summary>
/// <param name="Port">Of 127.0.0.1.</param>
/// <param name="Server">To be kept as long as it is to run.</param>
internal sealed record RunningServer(int Port, IAsyncDisposable Server);
