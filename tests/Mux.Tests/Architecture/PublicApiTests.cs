using System.ComponentModel;
using System.Reflection;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Mux.Description;
using Mux.Discovery.Dns;
using Mux.Discovery.Etcd;
using Mux.Discovery.Kubernetes;
using Mux.Hosting;
using Mux.Redis;
using Mux.Reflection;
using Mux.Serialization.GoogleProtobuf;
using Mux.Serialization.ProtobufNet;
using Mux.TestSupport.Sources;
using Mux.Transports;

namespace Mux.Tests.Architecture;

/// <summary>
/// The public surface of the packages is what the files in PublicApi say. Who means to change it runs these tests with MUX_REWRITE_PUBLIC_API=1, which writes the files,
/// and shows the difference to whoever reviews.
/// </summary>
public sealed class PublicApiTests
{
    private const string RewriteVariable = "MUX_REWRITE_PUBLIC_API";

    [Fact]
    public void Mux_Abstractions_shows_what_was_agreed() => AssertAgreed(typeof(Link).Assembly);

    [Fact]
    public void Mux_Core_shows_what_was_agreed() => AssertAgreed(typeof(MuxChannel).Assembly);

    [Fact]
    public void Mux_shows_what_was_agreed() => AssertAgreed(typeof(MuxServerService).Assembly);

    [Fact]
    public void Mux_AspNetCore_shows_what_was_agreed() => AssertAgreed(typeof(MuxConnectionBuilderExtensions).Assembly);

    [Fact]
    public void Mux_Discovery_Etcd_shows_what_was_agreed() => AssertAgreed(typeof(EtcdEndpointSource).Assembly);

    [Fact]
    public void Mux_Serialization_GoogleProtobuf_shows_what_was_agreed() => AssertAgreed(typeof(GoogleProtobufSerializer).Assembly);

    [Fact]
    public void Mux_Serialization_ProtobufNet_shows_what_was_agreed() => AssertAgreed(typeof(ProtobufNetSerializer).Assembly);

    [Fact]
    public void Mux_Discovery_Kubernetes_shows_what_was_agreed() => AssertAgreed(typeof(KubernetesEndpointSource).Assembly);

    [Fact]
    public void Mux_Discovery_Dns_shows_what_was_agreed() => AssertAgreed(typeof(DnsSrvEndpoints).Assembly);

    [Fact]
    public void Mux_Gateway_shows_what_was_agreed() => AssertAgreed(typeof(MuxGatewayServerBuilderExtensions).Assembly);

    [Fact]
    public void Mux_Description_shows_what_was_agreed() => AssertAgreed(typeof(ContractSet).Assembly);

    [Fact]
    public void Mux_Reflection_shows_what_was_agreed() => AssertAgreed(typeof(IReflection).Assembly);

    [Fact]
    public void Mux_RateLimiting_shows_what_was_agreed() => AssertAgreed(typeof(MuxRateLimitServerBuilderExtensions).Assembly);

    [Fact]
    public void Mux_Redis_shows_what_was_agreed() => AssertAgreed(typeof(RedisBackplane).Assembly);

    [Fact]
    public void Mux_Discovery_ServiceDiscovery_shows_what_was_agreed() => AssertAgreed(typeof(MuxServiceDiscoveryClientBuilderExtensions).Assembly);

    [Theory]
    [InlineData("Mux.Contracts")] // the meeting point of generated code and engine
    [InlineData("Mux.Protobuf")] // what generated codecs call
    public void Editors_do_not_offer_what_only_generated_code_names(string space)
    {
        var types = typeof(Link).Assembly.GetExportedTypes().Where(type => type.Namespace == space).ToList();
        Assert.NotEmpty(types);
        Assert.All(types, type => Assert.Equal(EditorBrowsableState.Never, type.GetCustomAttribute<EditorBrowsableAttribute>()?.State));
    }

    [Fact]
    public void Names_in_the_namespace_that_users_import_are_those_of_no_other_library()
    {
        // Grpc.Core, SignalR, Orleans and Polly have names like Channel, Status, Metadata, CallOptions and Outcome in the namespaces that their users import.
        Assembly[] assemblies = [typeof(Link).Assembly, typeof(MuxChannel).Assembly, typeof(MuxServerService).Assembly, typeof(MuxConnectionBuilderExtensions).Assembly];
        var bare = assemblies.SelectMany(assembly => assembly.GetExportedTypes()).Where(type => type.Namespace == "Mux" && !type.IsNested && !type.Name.StartsWith("Mux", StringComparison.Ordinal) && !type.Name.StartsWith("IMux", StringComparison.Ordinal));
        Assert.Equal(["OptionFailure", "UnknownFields"], bare.Select(type => type.Name).Order(StringComparer.Ordinal));
    }

    private static void AssertAgreed(Assembly assembly)
    {
        var file = $"tests/Mux.Tests/PublicApi/{assembly.GetName().Name}.txt";
        string[] actual = [.. PublicSurface.Of(assembly)];
        if (Environment.GetEnvironmentVariable(RewriteVariable) == "1") File.WriteAllText(Path.Combine(SourceTree.Root, file), string.Join('\n', actual) + '\n');
        var agreed = SourceTree.Read(file).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var differences = agreed.Except(actual).Select(line => "- " + line).Concat(actual.Except(agreed).Select(line => "+ " + line)).ToList();
        Assert.True(differences.Count == 0, $"{file} differs; {RewriteVariable}=1 rewrites it.\n{string.Join('\n', differences)}");
        Assert.Equal(agreed, actual);
    }
}
