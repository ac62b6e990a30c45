using System.Globalization;
using System.Text;
using Microsoft.CodeAnalysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>Messages may refer to each other in a chain of any length: no depth may end the compiler.</summary>
public sealed class DeepContractTests
{
    private const int SmallStack = 256 << 10;
    private const int Deep = 9_000;

    [Fact]
    public void A_long_chain_of_messages_is_generated_recorded_and_compared_on_a_small_stack()
    {
        Exception? failure = null;
        List<Diagnostic>? found = null;
        var thread = new Thread(
            () =>
            {
                try
                {
                    var code = Chain();
                    var recorded = ContractChange.Record(code);
                    found = ContractChange.Find(code.Replace("int Last", "long Last", StringComparison.Ordinal), recorded);
                }
                catch (Exception problem)
                {
                    failure = problem;
                }
            },
            SmallStack);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
        Assert.Equal("MUX0086", Assert.Single(found!).Id);
    }

    private static string Chain()
    {
        var text = new StringBuilder("using System.Threading.Tasks; using ProtoBuf; namespace shop;\n");
        for (int i = 0; i < Deep; i++)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"[ProtoContract] public class M{i} {{ [ProtoMember(1)] public M{i + 1} A {{ get; set; }} }}\n");
        }

        text.Append(
            CultureInfo.InvariantCulture,
            $"[ProtoContract] public class M{Deep} {{ [ProtoMember(1)] public int Last {{ get; set; }} }}\n");
        return text.Append("[Mux.MuxService(\"shop.Orders\")] public interface IOrders { ValueTask<M0> Find(int number); }")
            .ToString();
    }
}
