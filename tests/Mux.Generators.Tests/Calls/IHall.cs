namespace Mux.Generators.Tests.Calls;

/// <summary>Stands between a contract and the interface that declares a method, and has none of its own.</summary>
[MuxAuthorize("hall")]
public interface IHall : IClosed;
