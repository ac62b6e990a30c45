using System.Reflection;
using System.Runtime.Loader;

namespace Mux.Walk.Tests.Weaving;

/// <summary>
/// Loads the woven copies in place of the assemblies, and beside them a second copy of all other assemblies of Mux,
/// this one included: its plays then run the woven engine, and its <see cref="Probe"/> is the one that hears of it.
/// </summary>
internal sealed class WovenContext(string folder) : AssemblyLoadContext("woven")
{
    protected override Assembly? Load(AssemblyName assemblyName)
    {
        if (assemblyName.Name?.StartsWith("Mux", StringComparison.Ordinal) != true) return null;
        var file = assemblyName.Name + ".dll";
        var woven = Path.Combine(folder, file);
        if (File.Exists(woven))
        {
            // From memory, so that the folder can be deleted.
            using var bytes = new MemoryStream(File.ReadAllBytes(woven));
            return LoadFromStream(bytes);
        }

        var path = Path.Combine(AppContext.BaseDirectory, file);
        return File.Exists(path) ? LoadFromAssemblyPath(path) : null;
    }

    /// <summary>Calls a static method of this assembly's copy.</summary>
    public object? Call(Type type, string method, params object?[] arguments)
    {
        var copy = LoadFromAssemblyName(type.Assembly.GetName()).GetType(type.FullName!, throwOnError: true)!;
        var called = copy.GetMethod(method, BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static)!;
        return called.Invoke(null, BindingFlags.DoNotWrapExceptions, null, arguments, null);
    }
}
