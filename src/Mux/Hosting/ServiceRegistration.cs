namespace Mux.Hosting;

/// <summary>A service that was added to the server of a host before there is one.</summary>
internal sealed record ServiceRegistration(Action<IServiceProvider, MuxServer> AddTo);
