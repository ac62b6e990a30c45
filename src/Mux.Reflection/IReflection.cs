namespace Mux.Reflection;

/// <summary>Describes the contracts of a server. Each caller sees the methods that it may call, and what they need.</summary>
/// <remarks>A caller without an identity is refused unless it is on the machine of the server.</remarks>
[MuxService("mux.Reflection")]
public interface IReflection
{
    /// <summary>Lists services.</summary>
    /// <param name="options">Options of the call.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Wire names of the services with a method that the caller may call, in order.</returns>
    [MuxMethod(Idempotent = true)]
    ValueTask<string[]> List(MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Describes services.</summary>
    /// <param name="services">Wire names of the services; none for all that are described.</param>
    /// <param name="options">Options of the call.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>A <c>google.protobuf.FileDescriptorSet</c>, which <see cref="Description.ContractSet.Read"/> reads.</returns>
    /// <exception cref="MuxException"><see cref="MuxStatus.NotFound"/>: there is no such service, or the caller may call no method of it.
    /// <see cref="MuxStatus.FailedPrecondition"/>: a service was built without a description.</exception>
    [MuxMethod(Idempotent = true)]
    ValueTask<byte[]> Describe(string[] services, MuxCallOptions? options = null, CancellationToken cancellationToken = default);
}
