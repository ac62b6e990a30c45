using System.Reflection;
using Microsoft.CodeAnalysis;
using Mux.Description;
using Mux.Generators.Tests.Driver;
using Mux.Generators.Tests.Importing;

namespace Mux.Proto.Tests.Files;

/// <summary>A project that imports files, compiled and loaded.</summary>
internal static class ImportedProject
{
    private const string Root = "/src/protos/";

    /// <summary>Has the generator import all files.</summary>
    public static GeneratorRun Run(IReadOnlyDictionary<string, string> files, params (string Name, string Value)[] properties)
    {
        var texts = files.Select(static file => (AdditionalText)new ContractText(Root + file.Key, file.Value));
        return GeneratorRun.Of(GeneratorRun.Compile("Imported", []), new ImportOptions([(".proto", "ProtoRoot", Root)], properties), texts);
    }

    /// <summary>Describes all contracts of the project.</summary>
    public static ContractSet Describe(GeneratorRun run)
    {
        var builder = new ContractSetBuilder();
        var add = typeof(ContractSetBuilder).GetMethods().Single(static method => method is { Name: nameof(ContractSetBuilder.Add), IsGenericMethod: true });
        foreach (var contract in run.Load().GetTypes().Where(static type => type.IsInterface && type.GetCustomAttribute<MuxServiceAttribute>() is not null))
            add.MakeGenericMethod(contract).Invoke(builder, BindingFlags.DoNotWrapExceptions, null, null, null);
        return builder.Build();
    }
}
