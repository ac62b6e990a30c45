namespace Mux.Hosting;

/// <summary>Code that runs on the server of a host before it starts.</summary>
/// <param name="Initialize">Gets the services of the host and the server.</param>
internal sealed record ServerInitializer(Action<IServiceProvider, MuxServer> Initialize);
