using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Mux.Description.Proto.Joining;

namespace Mux.Tool.Contracts;

/// <summary>
/// Asks the contracts of an assembly for their descriptions. It runs with its own Mux, which may be another version than that of this tool; so all is done by
/// reflection.
/// </summary>
internal static class ContractAssembly
{
    private const string Attribute = "Mux.MuxServiceAttribute";
    private const string Description = "Mux.Contracts.ContractDescription";
    private const string Contract = "Mux.Contracts.ServiceContract`1";

    /// <summary>Gets a FileDescriptorSet with all contracts.</summary>
    /// <param name="path">The file.</param>
    /// <param name="place">Name of the file for errors.</param>
    /// <exception cref="ToolException">The assembly cannot be read, or has no contracts with descriptions.</exception>
    public static byte[] Describe(string path, string place)
    {
        if (!File.Exists(path)) throw new ToolException(ExitCode.Usage, $"{place}: there is no such file.");
        var context = new Context(Path.GetFullPath(path));
        try
        {
            return DescribeAll(context.LoadFromAssemblyPath(Path.GetFullPath(path)), place);
        }
        catch (Exception error) when (error is MissingMemberException or ArgumentException or InvalidCastException)
        {
            throw new ToolException(ExitCode.Usage, $"{place}: its version of Mux is not known to this tool.", error);
        }
        catch (Exception error) when (error is IOException or BadImageFormatException or TargetInvocationException or TypeLoadException or InvalidDataException)
        {
            throw new ToolException(ExitCode.Usage, $"{place}: it cannot be loaded: {(error.InnerException ?? error).Message}", error);
        }
        finally
        {
            context.Unload();
        }
    }

    private static byte[] DescribeAll(Assembly assembly, string place)
    {
        var contracts = TypesOf(assembly).Where(static type => type.IsInterface && AttributeOf(type) is not null).ToList();
        if (contracts.Count == 0) throw new ToolException(ExitCode.Usage, $"{place}: it has no contracts, which are interfaces with [MuxService].");
        var library = AttributeOf(contracts[0])!.AttributeType.Assembly;
        if (library.GetType(Description) is not { } type) throw new ToolException(ExitCode.Usage, $"{place}: its version of Mux has no descriptions.");
        RuntimeHelpers.RunModuleConstructor(assembly.ManifestModule.ModuleHandle);
        var description = Activator.CreateInstance(type)!;
        foreach (var contract in contracts)
        {
            var descriptor = library.GetType(Contract, throwOnError: true)!.MakeGenericType(contract);
            var known = Known(descriptor.GetMethod("Get", BindingFlags.Public | BindingFlags.Static, [])).Invoke(null, null)!;
            Known(descriptor.GetMethod("Describe", [type])).Invoke(known, [description]);
        }

        var parts = (System.Collections.IEnumerable)Known(type.GetProperty("Parts")).GetValue(description)!;
        return new FileJoin(parts.Cast<object>().Select(ToPart)).Join();
    }

    private static CustomAttributeData? AttributeOf(Type type) =>
        type.GetCustomAttributesData().FirstOrDefault(static data => data.AttributeType.FullName == Attribute);

    // Types that need frameworks which this tool does not have are not contracts.
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

    private static TypePart ToPart(object part)
    {
        var kind = Enum.Parse<PartKind>(Get("Kind").ToString()!);
        return new TypePart(kind, (string)Get("Package"), (ReadOnlyMemory<byte>)Get("Descriptor"));

        object Get(string name) => Known(part.GetType().GetProperty(name)).GetValue(part)!;
    }

    private static T Known<T>(T? member)
        where T : class => member ?? throw new MissingMemberException();

    private sealed class Context(string path) : AssemblyLoadContext(isCollectible: true)
    {
        private readonly AssemblyDependencyResolver _resolver = new(path);

        // Also files next to it, for assemblies without a list of dependencies.
        protected override Assembly? Load(AssemblyName assemblyName)
        {
            var neighbor = Path.Combine(Path.GetDirectoryName(path)!, assemblyName.Name + ".dll");
            var found = _resolver.ResolveAssemblyToPath(assemblyName) ?? (File.Exists(neighbor) ? neighbor : null);
            return found is null ? null : LoadFromAssemblyPath(found);
        }
    }
}
