using Mux.Contracts;
using Mux.Generators.Tests.Driver;

namespace Mux.Generators.Tests.Calls;

/// <summary>Null in place of an argument that is declared as never null fails the call at its caller, before a byte is written.</summary>
public sealed class NullArgumentTests
{
    private const string Refusal = "null cannot be sent, because the parameter is not nullable";

    private readonly CallsImplementation _implementation = new();
    private readonly ICalls _proxy;

    public NullArgumentTests() => _proxy = ServiceContract<ICalls>.Get().CreateProxy(new LoopbackInvoker(_implementation));

    [Fact]
    public async Task A_text_that_is_the_only_argument_is_named()
    {
        await RefusesAsync("ICalls.Number(text)", async () => await _proxy.Number(null!));
        await RefusesAsync("ICalls.FireAndForget(text)", async () => await _proxy.FireAndForget(null!));
        Assert.Empty(_implementation.Log);
    }

    [Fact]
    public Task A_list_that_is_the_only_argument_is_named() => RefusesAsync("ICalls.Leaves(leaves)", async () => await _proxy.Leaves(null!));

    [Fact]
    public Task One_of_several_arguments_is_named() =>
        RefusesAsync("ICalls.JoinAsync(numbers)", () => _proxy.JoinAsync("a", null, null!, null, TestContext.Current.CancellationToken));

    [Fact]
    public async Task What_may_be_null_is_sent()
    {
        Assert.Null(await _proxy.Bytes(null));
        Assert.Null(await _proxy.JoinAsync(null, null, [], null, TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData("string text", 1)]
    [InlineData("string text, byte[] bytes, Item item, int number", 3)]
    [InlineData("string text, System.Collections.Generic.IAsyncEnumerable<int> items", 1)]
    [InlineData("string? text", 0)]
    [InlineData("string? text, byte[]? bytes, Item? item", 0)]
    [InlineData("Item item", 0)] // is refused as a message
    [InlineData("int number, System.ReadOnlyMemory<byte> bytes", 0)]
    [InlineData("string text = null!", 0)]
    [InlineData("[System.Diagnostics.CodeAnalysis.AllowNull] string text, [System.Diagnostics.CodeAnalysis.AllowNull] byte[] bytes", 0)]
    public void Only_what_the_contract_declares_as_never_null_is_tested(string parameters, int tests) => Assert.Equal(tests, TestsOf(parameters));

    [Theory]
    [InlineData("string text")]
    [InlineData("string text, byte[] bytes, Item item")]
    public void A_contract_without_annotations_declares_nothing(string parameters) => Assert.Equal(0, TestsOf(parameters, "#nullable disable"));

    [Fact]
    public void A_type_argument_of_an_inherited_interface_decides_for_its_parameters()
    {
        const string store = "public interface IStore<T> { System.Threading.Tasks.ValueTask Put(int id, T item); }";
        Assert.Equal((1, 0), (Refusals(Service("string")), Refusals(Service("string?"))));

        static string Service(string item) => $"{store} [Mux.MuxService(\"s\")] public interface IService : IStore<{item}> {{ }}";
    }

    private static int TestsOf(string parameters, string head = "") => Refusals($$"""
        {{head}}
        [System.Runtime.Serialization.DataContract] public class Item { }
        [Mux.MuxService("s")] public interface IService { System.Threading.Tasks.ValueTask Send({{parameters}}); }
        """);

    private static int Refusals(string source)
    {
        var run = GeneratorRun.Of(source);
        Assert.Empty(run.CompilerDiagnostics());
        return run.GeneratedFile("IService_Service.g.cs").Split("EncodeFault.ThrowNullArgument(").Length - 1;
    }

    private static async Task RefusesAsync(string argument, Func<Task> call)
    {
        var error = await Assert.ThrowsAsync<ArgumentNullException>(call);
        Assert.Contains($"{argument}: {Refusal}", error.Message, StringComparison.Ordinal);
    }
}
