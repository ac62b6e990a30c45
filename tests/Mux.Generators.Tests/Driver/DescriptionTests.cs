using System.Globalization;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Contracts;
using Mux.Generators.Describing;

namespace Mux.Generators.Tests.Driver;

/// <summary>What is emitted of the description of a contract. What it says is held in Mux.Description.Tests.</summary>
public sealed class DescriptionTests
{
    private const int Methods = 10;
    private const int Messages = 20;

    [Fact]
    public void A_project_without_descriptions_has_none()
    {
        var compilation = GeneratorRun.Compile("Sample", [], Contract());
        var run = GeneratorRun.Of(compilation, new ProjectProperties(("MuxDescriptions", "false")));
        Assert.DoesNotContain("ContractDescription", string.Concat(run.GeneratedTrees), StringComparison.Ordinal);
        var refused = Assert.ThrowsAny<InvalidOperationException>(() => Describe(run));
        Assert.Contains("<MuxDescriptions>false</MuxDescriptions>", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_description_of_ten_methods_and_twenty_messages_has_at_most_three_KiB()
    {
        var description = Describe(GeneratorRun.Of(Contract()));
        Assert.Equal(Messages, description.Parts.Count(static part => part.Kind == DescriptionKind.Message));
        int size = description.Parts.Sum(static part => part.Descriptor.Length);
        TestContext.Current.TestOutputHelper?.WriteLine($"{size} bytes");
        Assert.InRange(size, 1024, 3 * 1024);
    }

    [Theory]
    [InlineData("string? Text { get; set; }", "AddMessage")]
    [InlineData("[System.ComponentModel.DefaultValue(5)] public int Number { get; set; } = 5;", "AddProto2Message")]
    [InlineData("[System.ComponentModel.DefaultValue(0)] public int Number { get; set; }", "AddMessage")]
    [InlineData("[ProtoBuf.ProtoMember(1, DataFormat = ProtoBuf.DataFormat.Group)] public Item? Inner { get; set; }", "AddProto2Message")]
    public void Only_groups_and_defaults_that_are_not_zero_need_proto2(string member, string expected)
    {
        var source = $"[ProtoBuf.ProtoContract] public sealed class Item {{ {(member.Contains("ProtoMember", StringComparison.Ordinal) ? "" : "[ProtoBuf.ProtoMember(1)] ")}{(member[0] == '[' ? "" : "public ")}{member} }}"
            + "[Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask Send(Item item); }";
        var run = GeneratorRun.Of(source, GeneratorRun.ProtoBufSource);
        Assert.Empty(run.Mistakes);
        Assert.Contains($"description.{expected}(", run.GeneratedFile("Item_Codec.g.cs"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(new byte[] { 10, 2, 126, 127, 34, 92, 0 })]
    [InlineData(new byte[] { 10, 2, 126, 127, 34, 92, 0, 128, 254, 255, 136, 1 })]
    public void A_literal_holds_all_bytes_of_a_descriptor(byte[] descriptor)
    {
        var expression = SyntaxFactory.ParseExpression(DescriptorLiteral.Of(new EquatableArray<byte>([.. descriptor])));
        var literal = Assert.Single(expression.DescendantTokens(), static token => token.IsKind(SyntaxKind.Utf8StringLiteralToken));
        var text = Encoding.UTF8.GetBytes(literal.ValueText);
        Assert.Equal(descriptor, expression is InvocationExpressionSyntax ? DescriptorText.Read(text) : text);
    }

    // Two messages a method, each with five members.
    private static string Contract()
    {
        var source = new StringBuilder("using System.Collections.Generic; using System.Runtime.Serialization; using System.Threading.Tasks; namespace Shop;\n");
        for (int i = 0; i < Messages; i++)
        {
            var name = i % 2 == 0 ? "Find" : "Found";
            var next = i < 2 ? "string" : string.Create(CultureInfo.InvariantCulture, $"{(i % 2 == 0 ? "Find" : "Found")}{i - 2}");
            source.AppendLine(CultureInfo.InvariantCulture, $$"""
                [DataContract] public sealed class {{name}}{{i}}
                {
                    [DataMember(Order = 1)] public int Id { get; set; }
                    [DataMember(Order = 2)] public string? LastName { get; set; }
                    [DataMember(Order = 3)] public double Price { get; set; }
                    [DataMember(Order = 4)] public List<{{next}}>? Others { get; set; }
                    [DataMember(Order = 5)] public bool IsUrgent { get; set; }
                }
                """);
        }

        source.AppendLine("[Mux.MuxService(\"shop.Orders\")] public interface IOrders {");
        for (int i = 0; i < Methods; i++) source.AppendLine(CultureInfo.InvariantCulture, $"ValueTask<Found{2 * i + 1}> FindThingAsync{i}(Find{2 * i} request);");
        return source.Append('}').ToString();
    }

    private static ContractDescription Describe(GeneratorRun run)
    {
        var contract = run.Load().GetType("Mux.Generated.Sample.Shop_IOrders_Service+Contract", throwOnError: true)!;
        var description = new ContractDescription();
        var describe = contract.GetMethod("Describe", [typeof(ContractDescription)])!;
        describe.Invoke(Activator.CreateInstance(contract), System.Reflection.BindingFlags.DoNotWrapExceptions, null, [description], null);
        return description;
    }
}
