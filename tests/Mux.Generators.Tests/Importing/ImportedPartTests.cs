using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Generators.Analysis;

namespace Mux.Generators.Tests.Importing;

/// <summary>Other parts of imported types do not seem to add what they cannot.</summary>
public sealed class ImportedPartTests
{
    private const string Orders = """
        syntax = "proto3"; package shop;
        message Order { int32 id = 1; }
        service Orders { rpc Find(Order) returns (Order); }
        """;

    [Theory]
    [InlineData("[Mux.MuxAuthorize] public partial interface IOrders { }", "[MuxAuthorize] has no effect on 'IOrders'")]
    [InlineData("public partial interface IOrders { [Mux.MuxMethod] ValueTask<int> Count() => new(1); }", "[MuxMethod] has no effect on 'IOrders'")]
    [InlineData("public partial interface IOrders { ValueTask<int> Count(); }", "'Count' has no effect on 'IOrders'")]
    [InlineData("public partial class Order { [ProtoBuf.ProtoMember(9)] public int More { get; set; } }", "[ProtoMember] has no effect on 'Order'")]
    public async Task What_another_part_cannot_add_is_told(string part, string message)
    {
        var told = Assert.Single(await ToldAsync(part));

        Assert.Equal("MUX0093", told.Id);
        Assert.Equal("App0.cs", told.Location.SourceTree?.FilePath);
        Assert.StartsWith(message, told.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("public partial interface IOrders { ValueTask<Order> First() => Find(new Order { Id = 1 }); }")]
    [InlineData("[System.Serializable] public partial class Order { public int Next => Id + 1; public string? Note { get; set; } }")]
    [InlineData("[Mux.MuxService(\"shop.Orders\"), Mux.MuxAuthorize] public interface ISecured : IOrders { }")]
    public async Task What_does_not_travel_is_the_users(string part) => Assert.Empty(await ToldAsync(part));

    private static async Task<IEnumerable<Diagnostic>> ToldAsync(string part)
    {
        var run = ImportRun.Of($"using System.Threading.Tasks; namespace Shop {{ {part} }}", ("/src/app/orders.proto", Orders));
        Assert.Empty(run.Told());
        var analysis = run.Output.WithAnalyzers([new ImportedPartAnalyzer()]);
        return await analysis.GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);
    }
}
