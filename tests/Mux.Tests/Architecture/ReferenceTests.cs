using Mux.Serialization.GoogleProtobuf;
using Mux.Serialization.ProtobufNet;
using Mux.Transports;

namespace Mux.Tests.Architecture;

/// <summary>What the packages below Mux bring along.</summary>
public sealed class ReferenceTests
{
    [Theory]
    [InlineData(typeof(Link), new string[0])]
    [InlineData(typeof(MuxChannel), new[] { "Mux.Abstractions", "Microsoft.Extensions.Logging.Abstractions" })]
    [InlineData(typeof(GoogleProtobufSerializer), new[] { "Mux.Abstractions", "Google.Protobuf" })]
    [InlineData(typeof(ProtobufNetSerializer), new[] { "Mux.Abstractions", "protobuf-net", "protobuf-net.Core" })]
    public void No_package_below_Mux_references_more_than_the_framework_and_what_it_stands_on(Type ofAssembly, string[] allowed)
    {
        var foreign = ofAssembly.Assembly.GetReferencedAssemblies().Select(reference => reference.Name!).Where(reference => !reference.StartsWith("System.", StringComparison.Ordinal));
        Assert.Empty(foreign.Except(allowed));
    }
}
