using System.Reflection;
using System.Runtime.Loader;

namespace Mux.Tool.Contracts;

/// <summary>
/// Loads an assembly with its dependencies. Those that this tool has itself are the tool's, above all Mux.Abstractions: a contract is found by its types.
/// </summary>
/// <param name="path">Full path of the assembly.</param>
internal sealed class ContractAssembly(string path) : AssemblyLoadContext(Path.GetFileNameWithoutExtension(path))
{
    private readonly AssemblyDependencyResolver _dependencies = new(path);
    private readonly string _folder = Path.GetDirectoryName(path)!;

    protected override Assembly? Load(AssemblyName assemblyName)
    {
        if (IsOfTool(assemblyName)) return null;
        var found = _dependencies.ResolveAssemblyToPath(assemblyName) ?? Path.Combine(_folder, $"{assemblyName.Name}.dll");
        return File.Exists(found) ? LoadFromAssemblyPath(found) : null;
    }

    private static bool IsOfTool(AssemblyName name) =>
        File.Exists(Path.Combine(AppContext.BaseDirectory, $"{name.Name}.dll")) && name.Name!.StartsWith("Mux.", StringComparison.Ordinal);
}
