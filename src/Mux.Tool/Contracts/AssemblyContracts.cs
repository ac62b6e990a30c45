using System.Reflection;
using Mux.Description;

namespace Mux.Tool.Contracts;

/// <summary>The contracts of an assembly, which is loaded: the generated descriptions are code.</summary>
/// <param name="path">The file.</param>
internal sealed class AssemblyContracts(string path) : ContractSource
{
    private static readonly MethodInfo s_add =
        typeof(ContractSetBuilder).GetMethods().Single(static method => method is { Name: nameof(ContractSetBuilder.Add), IsGenericMethodDefinition: true });

    public override string Place => $"{SourceOptions.AssemblyName} '{path}'";

    public override Task<ContractSet> ReadAsync(IReadOnlyList<string> services, CancellationToken cancellationToken)
    {
        var builder = new ContractSetBuilder();
        int count = 0;
        foreach (var contract in ContractsOf(Load()))
        {
            Add(builder, contract);
            count++;
        }

        if (count == 0) throw new ToolException(ExitCode.Usage, $"{Place}: it has no contracts, which are interfaces with [MuxService].");
        try
        {
            return Task.FromResult(builder.Build());
        }
        catch (InvalidDataException error)
        {
            throw new ToolException(ExitCode.Faulty, $"{Place}: {error.Message}", error);
        }
    }

    private static IEnumerable<Type> ContractsOf(Assembly assembly) => TypesOf(assembly).Where(static type =>
        type is { IsInterface: true, IsGenericTypeDefinition: false } && type.IsDefined(typeof(MuxServiceAttribute), inherit: false));

    /// <summary>Types whose dependencies are missing are left out: they are no contracts, which need Mux.Abstractions alone.</summary>
    private static IEnumerable<Type> TypesOf(Assembly assembly)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException error)
        {
            return error.Types.OfType<Type>();
        }
    }

    private Assembly Load()
    {
        var file = Path.GetFullPath(path);
        if (!File.Exists(file)) throw new ToolException(ExitCode.Usage, $"{Place}: there is no such file.");
        try
        {
            return new ContractAssembly(file).LoadFromAssemblyPath(file);
        }
        catch (Exception error) when (error is IOException or BadImageFormatException)
        {
            throw new ToolException(ExitCode.Usage, $"{Place}: it cannot be loaded: {error.Message}", error);
        }
    }

    private void Add(ContractSetBuilder builder, Type contract)
    {
        try
        {
            s_add.MakeGenericMethod(contract).Invoke(builder, null);
        }
        catch (TargetInvocationException error)
        {
            throw new ToolException(ExitCode.Faulty, $"{Place}: {(error.InnerException ?? error).Message}", error);
        }
    }
}
