using Mux.Description;
using Mux.Tool.Contracts;

namespace Mux.Tool.Tests.Contracts;

/// <summary>A server with a service that was built without a description, as <c>Mux.Reflection</c> answers.</summary>
internal sealed class PartialReflection : IReflection
{
    public ValueTask<string[]> List(CancellationToken cancellationToken = default) => new(["test.Shelf", "test.Silent"]);

    public ValueTask<byte[]> Describe(string[] services, CancellationToken cancellationToken = default) => services.Contains("test.Silent")
        ? throw new MuxException(MuxStatus.FailedPrecondition, "'test.Silent' is served without a description.")
        : new(ContractSet.Of<IShelf>().ToFileDescriptorSet());
}
